"""Reads bank statements with the libraries of other projects, and writes them as JSON.

The arguments are the format and a folder. Each file of the folder is a statement. The output is an object with the
parts of each file: account, opening and closing balance, and transactions with day, amount and reference. Amounts are
in the smallest unit of the currency, which the name of the file contains, such as 7.USD.
"""

import decimal
import json
import pathlib
import sys

DIGITS = {"JPY": 0}


def minor(amount, currency):
    scaled = decimal.Decimal(amount).scaleb(DIGITS.get(currency, 2))
    if scaled != scaled.to_integral_value():
        raise ValueError(f"{amount} {currency} is not a whole number of the smallest unit")
    return int(scaled)


def mt940_parts(path, currency):
    import mt940

    statement = mt940.parse(path.read_text("utf-8"))

    def balance(name):
        return minor(statement.data[name].amount.amount, currency)

    transactions = [
        {
            "day": str(one.data["guessed_entry_date"]),
            "amount": minor(one.data["amount"].amount, currency),
            "reference": one.data["bank_reference"],
        }
        for one in statement
    ]
    yield {
        "account": statement.data["account_identification"],
        "opening": balance("final_opening_balance"),
        "closing": balance("final_closing_balance"),
        "transactions": transactions,
    }


def ofx_parts(path, currency):
    from ofxtools.models.base import Aggregate
    from ofxtools.Parser import OFXTree

    tree = OFXTree()
    with path.open("rb") as file:
        root = tree.parse(file)
    for statement in root.iter("STMTRS"):
        found = [Aggregate.from_etree(one) for one in statement.iter("STMTTRN")]
        yield {
            "account": statement.findtext("BANKACCTFROM/ACCTID"),
            "transactions": [
                {
                    "day": str(one.dtposted.date()),
                    "amount": minor(one.trnamt, currency),
                    "reference": one.fitid,
                }
                for one in found
            ],
        }


def bai2_parts(path, _):
    from bai2 import bai2
    from bai2.constants import TypeCodeTransaction

    file = bai2.parse_from_string(path.read_text("utf-8"), check_integrity=False)
    for group in file.children:
        for account in group.children:
            balances = {one.type_code.code: one.amount for one in account.header.summary_items}

            def signed(one):
                return one.amount if one.type_code.transaction == TypeCodeTransaction.credit else -one.amount

            yield {
                "account": account.header.customer_account_number,
                "opening": balances["010"],
                "closing": balances["015"],
                "transactions": [
                    {
                        "day": str(group.header.as_of_date),
                        "amount": signed(one),
                        "reference": one.bank_reference,
                    }
                    for one in account.children
                ],
            }


READERS = {"mt940": mt940_parts, "ofx": ofx_parts, "bai2": bai2_parts}


def main():
    form, folder = sys.argv[1:]
    files = sorted(pathlib.Path(folder).iterdir())
    parts = {path.name: list(READERS[form](path, path.suffix[1:])) for path in files}
    json.dump(parts, sys.stdout)


main()
