"""The command `derive`: what is typed goes to a module of its own in `commands`, imported only when it is needed."""

from __future__ import annotations

import errno
import os
import sys
from importlib import import_module

import click

from derive.errors import DeriveError
from derive.language import asked_for
from derive.sheets.prose import catalogue
from derive.visible import flat

COMMANDS = {  # name -> module; each module has a click command called `command`
    "build": "derive.commands.build",
    "list": "derive.commands.list",
    "prove": "derive.commands.prove",
    "verify": "derive.commands.verify",
    "step": "derive.commands.step",
    "check": "derive.commands.check",
    "judge": "derive.commands.judge",
}


class _Lazy(click.Group):
    """A group whose commands are imported when they are named; the list of them imports none."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module = COMMANDS.get(cmd_name)
        if module is None:
            return None
        command = import_module(module).command
        if not isinstance(command, click.Command):
            raise TypeError(f"{module} has no command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        say = catalogue(asked_for(sys.argv[1:])).plain
        with formatter.section(say("help.commands")):
            formatter.write_dl([(name, say(f"help.{name}-short")) for name in COMMANDS])


def group() -> click.Group:
    """The command with its texts in the language of the moment."""
    say = catalogue(asked_for(sys.argv[1:])).plain
    made = _Lazy(
        name="derive",
        help=say("help.derive"),
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    made.params.append(
        click.Option(
            ["--version"], is_flag=True, expose_value=False, is_eager=True, callback=_version, help=say("help.version")
        )
    )
    return made


def _version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        from derive import __version__

        click.echo(f"derive {__version__}")
        ctx.exit()


def main() -> int:
    """Run the command line; the exit status."""
    lang = asked_for(sys.argv[1:])
    try:
        status = group()(standalone_mode=False, prog_name="derive")
        sys.stdout.flush()
    except DeriveError as error:
        return _complain(catalogue(lang).plain(f"errors.{error.code}", **error.params))
    except click.ClickException as error:
        return _complain(_usage(error, lang))
    except click.Abort:
        raise KeyboardInterrupt from None  # so click names an interrupt
    except BrokenPipeError:
        _discard_output()
        return 141
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO) or error.filename is not None:
            raise
        _discard_output()
        return _complain(catalogue(lang).plain("errors.stdout-unwritable", why=error.strerror or str(error)))
    return status if isinstance(status, int) else 0


def _discard_output() -> None:
    """What was not written goes nowhere, or the interpreter would try again when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(line: str) -> int:
    """One line on standard error; the exit status of a command that can't be understood."""
    click.echo(f"derive: {flat(line)}", err=True)
    return 2


def _usage(error: click.ClickException, lang: str) -> str:
    """What click found wrong with a command line, as a sentence of ours."""
    say = catalogue("zh" if lang == "zh" else "en").plain
    if isinstance(error, click.NoSuchOption):
        close = ", ".join(error.possibilities or [])
        return (
            say("errors.no-such-option-close", name=error.option_name, close=close)
            if close
            else say("errors.no-such-option", name=error.option_name)
        )
    if isinstance(error, click.MissingParameter):
        return say("errors.missing-argument", name=error.param.human_readable_name if error.param else "")
    if isinstance(error, click.BadParameter) and error.param is not None:
        return say("errors.bad-value", name="/".join(error.param.opts), why=error.message)
    return say("errors.usage", why=error.format_message())


if __name__ == "__main__":
    from derive.__main__ import main as started

    sys.exit(started())
