"""The shelf: published versions appear whole, count up, and are never changed."""

from __future__ import annotations

import json
import multiprocessing
import shutil
from pathlib import Path

import pytest

from model_store.contract.bundle import Bundle, write_bundle
from model_store.contract.errors import ContractError, StoreError, UnknownBundleError
from model_store.contract.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


def test_publishing_counts_versions_from_one(store: Store, bundle: Bundle) -> None:
    assert [store.publish(bundle.path).manifest.version for _ in range(3)] == ["1", "2", "3"]
    assert store.references() == [("xx-yy-toy", "1"), ("xx-yy-toy", "2"), ("xx-yy-toy", "3")]


def test_the_newest_version_is_the_highest_number_not_the_last_in_the_alphabet(store: Store, bundle: Bundle) -> None:
    for _ in range(11):
        store.publish(bundle.path)
    assert store.open("xx-yy-toy").manifest.version == "11"
    assert store.open("xx-yy-toy", "2").manifest.version == "2"


def test_a_published_copy_has_the_same_bytes_and_outlives_the_original(store: Store, bundle: Bundle) -> None:
    store.publish(bundle.path)
    shutil.rmtree(bundle.path)
    opened = store.open("xx-yy-toy")
    assert (opened.encoder, opened.decoder_step) == (bundle.encoder, bundle.decoder_step)
    assert opened.manifest.files == bundle.manifest.files


def test_a_broken_bundle_is_not_published_and_leaves_nothing(store: Store, bundle: Bundle) -> None:
    (bundle.path / "encoder.onnx").write_bytes(b"evil")
    with pytest.raises(ContractError):
        store.publish(bundle.path)
    assert not store.path.exists()


def test_publishing_leaves_no_temporary_folder(store: Store, bundle: Bundle) -> None:
    store.publish(bundle.path)
    assert [entry.name for entry in (store.path / "xx-yy-toy").iterdir()] == ["1"]


def test_a_version_that_is_there_is_never_overwritten(store: Store, bundle: Bundle) -> None:
    taken = store.path / "xx-yy-toy" / "1"
    taken.mkdir(parents=True)
    (taken / "manifest.json").write_text("not ours")
    assert store.publish(bundle.path).manifest.version == "2"
    assert (taken / "manifest.json").read_text() == "not ours"


def publish_some(store: Path, folder: Path, start: multiprocessing.synchronize.Barrier) -> None:
    start.wait()
    for _ in range(4):
        Store(store).publish(folder)


def test_publishers_at_the_same_time_all_get_a_version_of_their_own(store: Store, bundle: Bundle) -> None:
    context = multiprocessing.get_context("spawn")
    start = context.Barrier(3)
    publishers = [context.Process(target=publish_some, args=(store.path, bundle.path, start)) for _ in range(3)]
    for publisher in publishers:
        publisher.start()
    for publisher in publishers:
        publisher.join(60)
    assert [publisher.exitcode for publisher in publishers] == [0, 0, 0]
    assert [int(version) for _, version in store.references()] == list(range(1, 13))
    assert {store.open(*reference).encoder for reference in store.references()} == {bundle.encoder}


def test_unknown_names_and_versions_list_what_there_is(store: Store, bundle: Bundle) -> None:
    store.publish(bundle.path)
    with pytest.raises(UnknownBundleError, match=r"zz is not in store .*, which holds xx-yy-toy@1"):
        store.open("zz")
    with pytest.raises(UnknownBundleError, match=r"xx-yy-toy@2 is not in store"):
        store.open("xx-yy-toy", "2")


@pytest.mark.parametrize("name", ["..", "../store", ".", "", "/", "XX-YY-toy", "xx-yy-toy/1"])
def test_a_name_that_is_a_path_is_unknown(store: Store, bundle: Bundle, name: str) -> None:
    store.publish(bundle.path)
    with pytest.raises(UnknownBundleError):
        store.open(name)


@pytest.mark.parametrize("version", ["01", "1/", "../1", "-1", "１"])
def test_a_version_that_is_no_plain_number_is_unknown(store: Store, bundle: Bundle, version: str) -> None:
    store.publish(bundle.path)
    with pytest.raises(UnknownBundleError):
        store.open("xx-yy-toy", version)


def test_a_store_that_is_missing_says_so(store: Store) -> None:
    with pytest.raises(StoreError, match="is no folder"):
        store.references()


def test_an_empty_store_holds_nothing(tmp_path: Path) -> None:
    assert Store(tmp_path).references() == []


def test_other_entries_of_a_store_are_not_bundles(store: Store, bundle: Bundle) -> None:
    store.publish(bundle.path)
    (store.path / "README.md").write_text("about")
    (store.path / ".git").mkdir()
    (store.path / "xx-yy-toy" / ".partial-abc").mkdir()
    assert store.references() == [("xx-yy-toy", "1")]


def test_a_bundle_in_the_folder_of_another_version_is_refused(store: Store, bundle: Bundle) -> None:
    published = store.publish(bundle.path)
    published.path.rename(published.path.with_name("7"))
    with pytest.raises(ContractError, match="the manifest says xx-yy-toy@1, but its folder says xx-yy-toy@7"):
        store.open("xx-yy-toy")


def test_a_bundle_in_the_folder_of_another_name_is_refused(store: Store, bundle: Bundle) -> None:
    store.publish(bundle.path)
    (store.path / "xx-yy-toy").rename(store.path / "aa-bb")
    with pytest.raises(ContractError, match="but its folder says aa-bb@1"):
        store.open("aa-bb")


def test_a_linked_name_folder_is_refused(store: Store, bundle: Bundle, tmp_path: Path) -> None:
    store.publish(bundle.path)
    (store.path / "xx-yy-toy").rename(tmp_path / "elsewhere")
    (store.path / "xx-yy-toy").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ContractError, match="is a symbolic link"):
        store.open("xx-yy-toy")


def test_a_linked_version_folder_is_refused(store: Store, bundle: Bundle) -> None:
    store.publish(bundle.path)
    (store.path / "xx-yy-toy" / "2").symlink_to(store.path / "xx-yy-toy" / "1")
    with pytest.raises(ContractError, match="is a symbolic link"):
        store.open("xx-yy-toy")


def test_a_publisher_that_was_killed_is_no_obstacle(store: Store, bundle: Bundle) -> None:
    leftover = store.path / "xx-yy-toy" / ".partial-killed"
    leftover.mkdir(parents=True)
    (leftover / "encoder.onnx").write_bytes(b"half")
    assert store.publish(bundle.path).manifest.version == "1"


def test_only_the_version_of_the_manifest_changes(store: Store, bundle: Bundle) -> None:
    store.publish(bundle.path)
    published = store.publish(bundle.path)
    before, after = (json.loads((b.path / "manifest.json").read_text()) for b in (bundle, published))
    assert {**before, "version": "2"} == after


def test_defaults_are_opened_when_nothing_is_named_and_all_is_everything(store: Store, bundle: Bundle) -> None:
    for name in ("xx-yy-one", "xx-yy-two"):
        values = bundle.manifest.model_dump(mode="json", exclude={"files"}) | {"name": name}
        files = {file: (bundle.path / file).read_bytes() for file in bundle.manifest.files}
        store.publish(write_bundle(store.path.parent / name, values, files).path)
    assert [each.manifest.name for each in store.open_all()] == ["xx-yy-one", "xx-yy-two"]
    (store.path / "defaults.txt").write_text("xx-yy-two\nxx-yy-gone\n")
    assert [each.manifest.name for each in store.open_all()] == ["xx-yy-two"]
    assert [each.manifest.name for each in store.open_all(["all"])] == ["xx-yy-one", "xx-yy-two"]
    assert [each.manifest.reference for each in store.open_all(["xx-yy-one@1", "xx-yy-one@1"])] == ["xx-yy-one@1"]
    (store.path / "defaults.txt").write_text("xx-yy-gone\n")
    with pytest.raises(UnknownBundleError, match=r"defaults\.txt lists no bundle of its store"):
        store.open_all()
