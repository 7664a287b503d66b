"""What goes wrong: what its user can put right, said in one line, and what was not confirmed, never printed."""

from __future__ import annotations


class DeriveError(Exception):
    """Something that its user can put right, said in one line.

    `code` names the sentence ``errors.<code>`` of the prose catalogues, `params` fill its placeholders.
    Programs (``--format json``) see the code and the parameters, people the sentence.
    """

    def __init__(self, code: str, **params: str | int) -> None:
        super().__init__(code, params)
        self.code = code
        self.params: dict[str, str | int] = dict(params)

    def __str__(self) -> str:
        return f"{self.code}({', '.join(f'{k}={v!r}' for k, v in self.params.items())})"


class NotProved(Exception):
    """A step of ours that the kernel, the second verifier or the numbers did not confirm: never printed."""
