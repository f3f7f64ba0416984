"""The report of a site as one page, and the drawing of its networks that the page and `show topology` share."""
