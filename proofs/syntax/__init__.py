"""Text and LaTeX in; LaTeX, Typst, plain text and spoken text out."""
