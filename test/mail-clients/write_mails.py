"""Writes generated mails with Python's package `email` into a folder, and prints what they contain as JSON.

Arguments: the folder, the number of mails and the seed. The output is a list of objects with the name of the file, and the
subject, the sender, the text and the names of the attachments. A text of null means that the mail has no plain text, and a
subject of null that it tries to add a header.
"""

import base64
import json
import random
import sys
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.mime.application import MIMEApplication
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from pathlib import Path

WORDS = {
    "us-ascii": ["terminal", "receipt", "TKT-000001", "a;b", '"quoted"', "(comment)", "a@b.example", "=?x?="],
    "iso-8859-1": ["Gerät", "läuft", "é", "façade", "£10"],
    "iso-8859-15": ["€", "Œuvre"],
    "windows-1252": ["“quoted”", "€10", "–"],
    "koi8-r": ["чек", "терминал", "не", "печатает"],
    "iso-2022-jp": ["領収書", "端末", "です"],
    "gb18030": ["收据", "终端", "𠮷"],
    "big5": ["收據", "終端機"],
    "euc-kr": ["영수증", "단말기"],
    "utf-8": ["🧾", "Zoë", "ﬁ", "עברית", "e\u0301", "𝔘", "ไทย"],
}
# Texts with which senders try to add headers, as encoded words. Python refuses to write them itself.
ATTACKS = [f"x{end}Bcc: mallory@evil.test" for end in ("\r\n", "\n", "\r", "\u0085", "\u2028")] + ["\u202egpj.exe"]
TYPES = [
    ("application", "pdf", "scan.pdf"),
    ("image", "png", "photo.png"),
    ("application", "ms-tnef", "winmail.dat"),
    ("application", "pkcs7-mime", "smime.p7m"),
    ("application", "octet-stream", "..\\..\\etc\\passwd"),
]


def words(rng, charset, most=8):
    return " ".join(rng.choice(WORDS[charset] + WORDS["us-ascii"]) for _ in range(rng.randint(1, most)))


def name_in(rng, charset):
    ending = rng.choice([".pdf", ".PNG", "", ".tar.gz"])
    return words(rng, charset, 3).replace("/", "_").replace('"', "'") + ending


def text_of(rng, charset):
    lines = [words(rng, charset, 20) for _ in range(rng.randint(1, 12))]
    if rng.random() < 0.2:
        lines.append("a long line without an end " * 60)
    return "\n".join(line.rstrip() for line in lines)


def plain(rng, charset, text):
    message = EmailMessage(policy=policy.SMTP)
    encodings = ["base64", "quoted-printable"] if charset != "us-ascii" else ["7bit", "base64", "quoted-printable"]
    if len(max(text.split("\n"), key=len)) > 900:
        encodings = ["base64", "quoted-printable"]
    message.set_content(text, charset=charset, cte=rng.choice(encodings))
    return message


def whole(rng, charset):
    """Returns a mail, its text and the names of its attachments."""
    text = text_of(rng, charset)
    message = plain(rng, charset, text)
    names = []
    kind = rng.choice(["plain", "alternative", "files", "calendar", "forwarded", "html"])
    if kind == "html":
        message = EmailMessage(policy=policy.SMTP)
        message.set_content(f"<p>{words(rng, charset)}</p>", subtype="html", charset=charset, cte="base64")
        return message, None, names
    if kind in ("alternative", "calendar"):
        message.add_alternative(f"<p>{words(rng, charset)}</p>", subtype="html", charset=charset, cte="quoted-printable")
    if kind == "calendar":
        invite = "BEGIN:VCALENDAR\nMETHOD:REQUEST\nEND:VCALENDAR\n"
        message.add_attachment(invite, subtype="calendar", filename="invite.ics")
        names.append("invite.ics")
    if kind == "files":
        for _ in range(rng.randint(1, 5)):
            main, sub, name = rng.choice(TYPES)
            name = name if rng.random() < 0.4 else name_in(rng, charset)
            message.add_attachment(rng.randbytes(rng.randint(1, 3000)), maintype=main, subtype=sub, filename=name)
            names.append(name)
    if kind == "forwarded":
        inner, _, _ = whole(rng, rng.choice(list(WORDS)))
        inner["From"] = "eve@example.com"
        inner["Subject"] = words(rng, charset)
        message.add_attachment(inner, filename="forwarded.eml")
        names.append("forwarded.eml")
    return message, text, names


def signed(rng, charset):
    """Returns a signed mail, as S/MIME or OpenPGP. The signature is a file."""
    text = text_of(rng, charset)
    smime = rng.random() < 0.5
    message = MIMEMultipart("signed", protocol="application/pkcs7-signature" if smime else "application/pgp-signature")
    message.attach(MIMEText(text, "plain", "utf-8"))
    name = "smime.p7s" if smime else "signature.asc"
    part = MIMEApplication(rng.randbytes(500), "pkcs7-signature" if smime else "pgp-signature")
    part.add_header("Content-Disposition", "attachment", filename=name)
    message.attach(part)
    return message, text, [name]


def encrypted(rng, charset):
    """Returns a mail encrypted with OpenPGP (RFC 3156)."""
    message = MIMEMultipart("encrypted", protocol="application/pgp-encrypted")
    control = MIMEApplication(b"Version: 1\r\n", "pgp-encrypted")
    control.add_header("Content-Disposition", "attachment", filename="control")
    data = MIMEApplication(rng.randbytes(2000), "octet-stream")
    data.add_header("Content-Disposition", "inline", filename="encrypted.asc")
    message.attach(control)
    message.attach(data)
    return message, "", ["control", "encrypted.asc"]


def read_subject(raw):
    """Python writes some spaces between encoded words wrongly, so the subject is what Python reads."""
    return message_from_bytes(raw, policy=policy.default)["Subject"]


def main(folder, count, seed):
    contents = []
    for number in range(count):
        rng = random.Random(seed * 100_000 + number)
        charset = rng.choice(list(WORDS))
        message, text, names = rng.choices([whole, signed, encrypted], [8, 1, 1])[0](rng, charset)
        is_attack = rng.random() < 0.1
        subject = rng.choice(ATTACKS) if is_attack else words(rng, charset)
        header = EmailMessage(policy=policy.SMTP)
        if is_attack:
            header["Subject"] = f"=?utf-8?b?{base64.b64encode(subject.encode()).decode()}?="
        else:
            header["Subject"] = subject
        header["From"] = f"ada{number}@example.com"
        header["To"] = "support@acme.test"
        # Python's serializer writes the header with encoded words, and the content with its own header.
        raw = header.as_bytes().rstrip(b"\r\n") + b"\r\n" + message.as_bytes(policy=policy.SMTP)
        file = f"{number}.eml"
        Path(folder, file).write_bytes(raw)
        contents.append(
            {"file": file, "subject": None if is_attack else read_subject(raw), "from": f"ada{number}@example.com", "text": text, "attachments": names}
        )
    json.dump(contents, sys.stdout)


main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
