"""Practice: questions whose answers, steps and usual mistakes are computed from a model's tree."""
