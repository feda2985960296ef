"""Steps, views, shares, conventions, the rule of thumb."""
