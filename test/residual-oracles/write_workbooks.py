"""Writes XLSX files with openpyxl.

The arguments are a JSON file and a folder. The JSON file is a list of workbooks: name, is1904, and sheets with name,
rows and merged ranges. A text that begins with = is a formula. A cell {"date": "2026-10-31"} is a date, and a cell
{"text": "12.5"} is a number that is stored as a text.
"""

import datetime
import json
import pathlib
import sys

import openpyxl
from openpyxl.utils.datetime import CALENDAR_MAC_1904


def fill(cell, value):
    if isinstance(value, dict) and "date" in value:
        cell.value = datetime.date.fromisoformat(value["date"])
    elif isinstance(value, dict):
        cell.value = value["text"]
        cell.number_format = "@"
    elif value is not None:
        cell.value = value


def main(source, folder):
    for workbook in json.loads(pathlib.Path(source).read_text()):
        book = openpyxl.Workbook()
        book.remove(book.active)
        if workbook["is1904"]:
            book.epoch = CALENDAR_MAC_1904
        for sheet in workbook["sheets"]:
            page = book.create_sheet(sheet["name"])
            for row, cells in enumerate(sheet["rows"], 1):
                for column, value in enumerate(cells, 1):
                    fill(page.cell(row, column), value)
            for merged in sheet["merged"]:
                page.merge_cells(merged)
        book.save(pathlib.Path(folder) / workbook["name"])


main(*sys.argv[1:])
