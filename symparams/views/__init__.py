"""The views: the same leaves, grouped into steps as different authors group them. One file a view: sections()."""
