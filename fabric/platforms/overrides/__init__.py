"""What verbatim lines of an override may say beside ours."""
