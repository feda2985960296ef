"""The layout: columns of a drawing with what stands in them, one above another, and what leads from one to another."""
