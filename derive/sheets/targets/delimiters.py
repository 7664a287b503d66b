"""The Jinja environments: ``<% %>`` and ``<< >>`` where braces mean something, the usual for web pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from derive.resources import templates

if TYPE_CHECKING:
    from derive.sheets.targets import Target


def code_environment(target: Target) -> Environment:
    """For Typst, LaTeX and Markdown: everything printed is escaped by the target."""
    return Environment(
        loader=FileSystemLoader(templates()),
        autoescape=True,
        finalize=target.finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        block_start_string="<%",
        block_end_string="%>",
        variable_start_string="<<",
        variable_end_string=">>",
        comment_start_string="<#",
        comment_end_string="#>",
    )


def page_environment() -> Environment:
    """For web pages: Jinja's own escaping of HTML."""
    return Environment(
        loader=FileSystemLoader(templates()),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
