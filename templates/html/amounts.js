// Amounts as people write them: 85M, 1.5e9, 70 亿, 2.4 × 10⁷: the exact value, and what its last digit counts.
const AMOUNT =
  /^([-+]?)(\d{1,3}(?:[,_' ]\d{3})+(?!\d)|\d+)(?:\.(\d+))?(?:(?:[eE]\+?|\s*[x×·*]\s*10(?:\^|\*\*))(-?\d{1,3}))?\s*(\D.*)?$/s;
const LONGEST_AMOUNT = 60;
const spelled = (word, table) => {
  const name =
    Object.keys(table).find((known) => known === word) ??
    Object.keys(table).find((known) => known.toLowerCase() === word.toLowerCase());
  return name === undefined ? null : table[name];
};
const powered = (power) => (power < 0 ? [1n, 10n ** BigInt(-power)] : [10n ** BigInt(power), 1n]);
// ``scaleOf`` a word is its scale and its kind, or null. Of a number without a word all digits up to the last are written.
function amountIn(text, scaleOf) {
  const plain = text
      .normalize("NFKC")
      .replace(/^[=≈~约]\s*/, "")
      .replace(/−/g, "-")
      .trim(),
    match = AMOUNT.exec(plain);
  if (!match || plain.length > LONGEST_AMOUNT) return null;
  const [, sign, whole, decimals = "", power = "0", word = ""] = match,
    [scale, kind] = scaleOf(word.trim()) ?? [],
    digits = BigInt(whole.replace(/\D/g, "") + decimals),
    last = times(powered(Number(power)), [1n, 10n ** BigInt(decimals.length)]);
  if (!scale) return null;
  const isInFull = !word && last[0] === last[1];
  return {
    value: times(times([sign === "-" ? -digits : digits, 1n], last), scale),
    last: isInFull ? [0n, 1n] : times(last, scale),
    kind,
  };
}
// What the last digit of a number counts that is compared with a whole one, or another: zeros at its end may be rounded.
function precision({ value: [n, d], last }, least, isWhole = true) {
  const digits = String(n < 0n ? -n : n),
    zeros = d === 1n && BigInt(digits) >= BigInt(least) ? /0*$/.exec(digits)[0].length : 0,
    rounded = [zeros ? 10n ** BigInt(zeros) : 0n, 1n];
  return (isWhole && d === 1n && last[0] <= last[1]) || less(last, rounded) ? rounded : last;
}
const roundsTo = ([a, b], last, [c, d]) => {
  const [n, over] = plus([c, d], [-a, b]);
  return last[0] > 0n && !less(last, ratio(2n * (n < 0n ? -n : n), over));
};
