// Exact numbers: [numerator, denominator], both BigInt, the denominator above 0.
const gcd = (a, b) => {
  while (b) [a, b] = [b, a % b];
  return a < 0n ? -a : a;
};
const ratio = (n, d) => {
  if (d === 1n) return [n, 1n];
  const g = gcd(n, d) * (d < 0n ? -1n : 1n);
  return [n / g, d / g];
};
const plus = (a, b) => (a[1] === 1n && b[1] === 1n ? [a[0] + b[0], 1n] : ratio(a[0] * b[1] + b[0] * a[1], a[1] * b[1]));
const times = (a, b) => (a[1] === 1n && b[1] === 1n ? [a[0] * b[0], 1n] : ratio(a[0] * b[0], a[1] * b[1]));
const less = (a, b) => a[0] * b[1] < b[0] * a[1];
