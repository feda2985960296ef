"""The site: static pages of the published models, written from what the other rooms say of them."""
