"""Reads NACHA files with carta-ach, and writes each file again with its builder.

The argument is a folder. The output is an object with the fields of each file by its name: what carta-ach reads
(`read`), and the control records and the number of lines of the file that it builds from the entries (`built`).
"""

import datetime
import json
import pathlib
import sys

from ach.builder import AchFile
from ach.parser import Parser


def entry_of(found):
    detail = found["entry_detail"]
    return {
        "type": detail["transaction_code"],
        "routing_number": detail["recv_dfi_id"] + detail["check_digit"],
        "account_number": detail["dfi_acnt_num"].strip(),
        # The builder takes dollars as a float, which is exact enough for ten digits.
        "amount": f"{int(detail['amount']) // 100}.{int(detail['amount']) % 100:02d}",
        "name": detail["ind_name"].strip(),
        "id_number": detail["ind_id"].strip(),
        "addenda": [{"payment_related_info": one["pmt_rel_info"].rstrip()} for one in found["addenda"]],
    }


def built(data):
    header = data["file_header"]
    file = AchFile(
        header["file_id_mod"],
        {
            "immediate_dest": header["immediate_dest"].strip(),
            "immediate_dest_name": header["im_dest_name "].strip(),
            "immediate_org": header["immediate_org"].strip(),
            "immediate_org_name": header["im_orgn_name "].strip(),
            "company_id": data["batches"][0]["batch_header"]["company_id"].strip(),
        },
    )
    for batch in data["batches"]:
        first = batch["batch_header"]
        file.add_batch(
            first["std_ent_cls_code"],
            [entry_of(one) for one in batch["entries"]],
            entry_desc=first["entry_desc"].strip(),
            company_name=first["company_name"].strip(),
            eff_ent_date=datetime.datetime.strptime(first["eff_ent_date"], "%y%m%d"),
        )
    lines = file.render_to_string().split("\n")
    return {
        "batch_controls": [line for line in lines if line.startswith("82")],
        "control": next(line for line in lines if line.startswith("9")),
        "entries": [line[:79] for line in lines if line.startswith("6")],
        "addenda": [line[:87] for line in lines if line.startswith("7")],
    }


files = {}
for path in pathlib.Path(sys.argv[1]).iterdir():
    data = Parser(path.read_text("ascii")).as_dict()
    files[path.name] = {"read": data, "built": built(data)}
json.dump(files, sys.stdout)
