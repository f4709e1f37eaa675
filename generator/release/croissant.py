"""croissant.json: the dataset described for machines (Croissant 1.0 with its responsible-AI terms). In: what a release
holds and its other files. Out: JSON text. Each file has its SHA-256, each table a record set over its Parquet file."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generator.release.card import REPOSITORY, TITLE, Contents, Published, build_statements, citation
from generator.release.columns import Column, Kind

CONFORMS_TO = ["http://mlcommons.org/croissant/1.0", "http://mlcommons.org/croissant/RAI/1.0"]
HOME = f"https://huggingface.co/datasets/{REPOSITORY}"
LICENCE = "https://creativecommons.org/licenses/by/4.0/"
PARQUET = "application/x-parquet"
DATA_TYPES: Mapping[Kind, str] = {
    "string": "sc:Text",
    "int32": "sc:Integer",
    "float64": "sc:Float",
    "bool": "sc:Boolean",
    "binary": "sc:Text",
}
CONTEXT: Mapping[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


@dataclass(frozen=True)
class PlainFile:
    """A file of the release that is no table. path is relative to the release's folder."""

    path: str
    media_type: str
    size: int
    sha256: str


def build_croissant(contents: Contents, files: Sequence[PlainFile]) -> str:
    said = build_statements(contents)
    document = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": TITLE,
        "description": said["description"],
        "license": LICENCE,
        "url": HOME,
        "version": contents.bindings.version,
        "datePublished": contents.published,
        "creator": {"@type": "sc:Organization", "name": f"{TITLE} contributors", "url": HOME},
        "citeAs": citation(contents),
        "isLiveDataset": False,
        "keywords": ["agent", "benchmark", "ERP", "MCP", "tool use", "synthetic"],
        **responsible_ai(said),
        "distribution": [*map(table_file, contents.tables), *map(plain_file, files)],
        "recordSet": [record_set(one) for one in contents.tables],
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def responsible_ai(said: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "rai:dataCollection": said["made"],
        "rai:dataCollectionType": "Synthetic data, written by a program",
        "rai:dataCollectionRawData": "None: nothing was collected.",
        "rai:dataAnnotationProtocol": said["checked"],
        "rai:dataUseCases": [*said["uses"], *(f"Not for: {sentence}" for sentence in said["not_uses"])],
        "rai:dataLimitations": said["limits"],
        "rai:dataBiases": said["biases"],
        "rai:dataSocialImpact": said["social_impact"],
        "rai:personalSensitiveInformation": said["personal"],
        "rai:dataReleaseMaintenancePlan": said["maintenance"],
    }


def table_file(one: Published) -> dict[str, Any]:
    return plain_file(PlainFile(one.table.path, PARQUET, one.size, one.sha256))


def plain_file(file: PlainFile) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": file.path,
        "name": file.path,
        "contentUrl": file.path,
        "contentSize": f"{file.size} B",
        "encodingFormat": file.media_type,
        "sha256": file.sha256,
    }


def record_set(one: Published) -> dict[str, Any]:
    table = one.table
    return {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": table.about,
        "key": [{"@id": f"{table.name}/{name}"} for name in table.order],
        "field": [_field(table.name, table.path, column) for column in table.columns],
    }


def _field(owner: str, path: str, column: Column) -> dict[str, Any]:
    id = f"{owner}/{column.name}"
    field: dict[str, Any] = {"@type": "cr:Field", "@id": id, "name": id, "description": column.about}
    if column.many:
        field["repeated"] = True
    if column.members:
        field["subField"] = [_member(id, path, column, member) for member in column.members]
        return field
    field["dataType"] = DATA_TYPES[column.kind]
    field["source"] = {"fileObject": {"@id": path}, "extract": {"column": column.name}}
    return field


def _member(owner: str, path: str, column: Column, member: Column) -> dict[str, Any]:
    id = f"{owner}/{member.name}"
    return {
        "@type": "cr:Field",
        "@id": id,
        "name": id,
        "description": member.about,
        "dataType": DATA_TYPES[member.kind],
        "source": {
            "fileObject": {"@id": path},
            "extract": {"column": column.name},
            "transform": {"jsonPath": member.name},
        },
    }
