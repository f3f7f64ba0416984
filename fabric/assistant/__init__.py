"""What an assistant may ask about a site, over the Model Context Protocol. Nothing here changes a site or a device."""
