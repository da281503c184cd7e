"""`attendant import`: a model that was trained elsewhere."""

from __future__ import annotations

from pathlib import Path

import click

from model_store.commands.options import EXISTING_FOLDER, FOLDER, need_training_extra


@click.command("import")
@click.argument("folder", type=EXISTING_FOLDER)
@click.option("--name", required=True, help="Of the bundle: small letters, digits and hyphens.")
@click.option("--source", help="Language code of what it reads.  [default: the checkpoint's]")
@click.option("--target", help="Language code of what it writes.  [default: the checkpoint's]")
@click.option(
    "--valid",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    required=True,
    help="Some hundred pairs, tab-separated: the export finds the scales of int8 and calibrates confidence with them.",
)
@click.option("--test", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Pairs whose BLEU the export measures; in the same folder.")  # fmt: skip
@click.option("--licence", required=True, help="Of the model, for the manifest: CC-BY-4.0, Apache-2.0, ...")
@click.option("--attribution", default="", help="Who must be named, for the manifest.")
@click.option("--out", type=FOLDER, required=True, help="New folder of the run.")
def import_model(
    folder: Path,
    name: str,
    source: str | None,
    target: str | None,
    valid: Path,
    test: Path | None,
    licence: str,
    attribution: str,
    out: Path,
) -> None:
    """Take over the MarianMT model in FOLDER, as Hugging Face has those of OPUS-MT.

    FOLDER has config.json, model.safetensors or pytorch_model.bin, source.spm, target.spm and vocab.json. No network
    is asked.

    What it leaves is a finished run, which is exported and published like any other.

    \b
    Examples:
      attendant import opus-mt-en-fi --name en-fi-opus --valid data/en-fi.tsv --licence CC-BY-4.0 --out runs/en-fi-opus
      attendant import opus-mt-de-es --name de-es-opus --source de --target es --valid data/valid.tsv \\
        --test data/test.tsv --licence CC-BY-4.0 --attribution "University of Helsinki" --out runs/de-es-opus
    """
    need_training_extra("import")
    if out.exists():
        raise click.ClickException(f"{out} exists; remove it or name another folder")
    if test is not None and test.resolve().parent != valid.resolve().parent:
        raise click.ClickException("--valid and --test must lie in one folder, which the export calls --data")
    from model_store.contract.errors import StoreError
    from model_store.importing.marian import MarianCheckpoint
    from model_store.importing.run import imported, recipe_of
    from model_store.training.finished import save_run
    from model_store.training.recipe import RecipeError

    try:
        checkpoint = MarianCheckpoint.open(folder)
        languages = _languages(checkpoint.languages, source, target)
        values = {
            "name": name,
            "source": languages[0],
            "target": languages[1],
            "data": {"train": "", "valid": valid.name, "description": f"the training text of {folder.name}",
                     "licence": licence, "attribution": attribution},
            "evaluation": [] if test is None else [{"name": test.stem, "file": test.name}],
        }  # fmt: skip
        found = imported(checkpoint, recipe_of(checkpoint, values), folder.name)
    except (StoreError, RecipeError) as error:
        raise click.ClickException(str(error)) from error
    save_run(found, out)
    num_parameters = sum(p.numel() for p in found.model.parameters())
    click.echo(f"wrote {name}, {languages[0]}-{languages[1]}, {num_parameters / 1e6:.1f} M parameters, to {out}")
    click.echo(f"next: attendant export {out} --out {out / 'bundle'} --data {valid.parent}")


def _languages(named: tuple[str, str] | None, source: str | None, target: str | None) -> tuple[str, str]:
    """Codes of two letters, where a checkpoint names languages by three: `eng` is `en`."""
    found = []
    for asked, own, option in zip((source, target), named or (None, None), ("--source", "--target"), strict=True):
        code = asked or own
        if code is None:
            raise click.ClickException(f"the checkpoint does not name its languages; give {option}")
        found.append(_SHORT.get(code, code))
    return found[0], found[1]


_SHORT = {
    "ara": "ar", "bul": "bg", "cat": "ca", "ces": "cs", "dan": "da", "deu": "de", "ell": "el", "eng": "en",
    "epo": "eo", "est": "et", "eus": "eu", "fin": "fi", "fra": "fr", "glg": "gl", "heb": "he", "hin": "hi",
    "hun": "hu", "ind": "id", "isl": "is", "ita": "it", "jpn": "ja", "kor": "ko", "lav": "lv", "lit": "lt",
    "nld": "nl", "nob": "nb", "pol": "pl", "por": "pt", "ron": "ro", "rus": "ru", "slk": "sk", "slv": "sl",
    "spa": "es", "sqi": "sq", "swe": "sv", "tur": "tr", "ukr": "uk", "vie": "vi", "zho": "zh",
}  # fmt: skip
"""ISO 639-1 for ISO 639-3, of languages with models of OPUS-MT."""
