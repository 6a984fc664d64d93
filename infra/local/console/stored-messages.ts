import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime, { type Address } from 'postal-mime';
import { type MessageFolder, messageChannels } from '../../../shared/channels/channels.ts';
import { readStored } from '../../administration/stored-file.ts';

/** A stored message in the list. */
export interface ListedMessage {
  kind: MessageFolder;
  /** The name of the message, such as `text message`. */
  words: string;
  /** The id that the mailbox returned to the sender. */
  id: string;
  at: string;
  to: string;
  /** The subject of a mail, or the text of another message. */
  subject: string;
}

/** A name such as `2026-03-01T10-00-00.000Z-0b0e….eml`; see mailbox.ts. */
const nameParts = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3}Z)-([\w-]+)\.(?:eml|txt)$/;

interface StoredFile extends Pick<ListedMessage, 'kind' | 'words' | 'id' | 'at'> {
  path: string;
}

/** The stored files, newest first. Skips files that the mailbox did not write. */
function storedFiles(folder: (name: MessageFolder) => string): StoredFile[] {
  return messageChannels
    .flatMap(({ standIn: { folder: kind }, messages: { words } }) =>
      readdirSync(folder(kind)).flatMap((name): StoredFile[] => {
        const [, hour, minute, second, id] = nameParts.exec(name) ?? [];
        if (!id) return [];
        return [{ kind, words, id, at: `${hour}:${minute}:${second}`, path: join(folder(kind), name) }];
      }),
    )
    .sort((one, other) => (one.at < other.at ? 1 : -1));
}

/** A cache of list entries, by the path of the file. Entries stay valid, because the files never change. */
const parsed = new Map<string, ListedMessage>();
const mostParsed = 2_000;

/** Lists the newest stored messages. `total` is the number of all stored messages. */
export async function listMessages(
  folder: (name: MessageFolder) => string,
  limit: number,
): Promise<{ messages: ListedMessage[]; total: number }> {
  const files = storedFiles(folder);
  const messages = await Promise.all(
    files.slice(0, limit).map(async (file) => {
      const known = parsed.get(file.path);
      if (known) return [known];
      const message = await readMessage(file);
      if (!message) return [];
      const { kind, words, id, at, to, subject } = message;
      const listed = { kind, words, id, at, to, subject };
      if (parsed.size >= mostParsed) parsed.clear();
      parsed.set(file.path, listed);
      return [listed];
    }),
  );
  return { messages: messages.flat(), total: files.length };
}

/** A message as its recipient sees it. */
export interface ShownMessage extends ListedMessage {
  from?: string;
  headers: { name: string; value: string }[];
  text: string;
  html?: string;
  /** Lines that contain only a code, such as the code that resets a password. */
  codes: string[];
  links: string[];
  /** In bytes. */
  size: number;
}

/** Reads a stored message. Returns undefined if it does not exist. */
export async function findMessage(
  folder: (name: MessageFolder) => string,
  kind: string,
  id: string,
): Promise<ShownMessage | undefined> {
  const file = storedFiles(folder).find((one) => one.kind === kind && one.id === id);
  return file && readMessage(file);
}

async function readMessage(file: StoredFile): Promise<ShownMessage | undefined> {
  const raw = readStored(file.path);
  if (raw === undefined) return undefined;
  const size = statSync(file.path).size;
  return file.path.endsWith('.eml') ? readMail(file, raw, size) : readText(file, raw, size);
}

async function readMail({ path: _, ...file }: StoredFile, raw: string, size: number): Promise<ShownMessage> {
  const { subject = '', from, to = [], headers, text = '', html } = await PostalMime.parse(raw);
  return {
    ...file,
    subject,
    to: to.map(addressText).join(', '),
    ...(from && { from: addressText(from) }),
    headers: headers.map(({ originalKey: name, value }) => ({ name, value })),
    text,
    ...(html !== undefined && { html }),
    ...partsToCopy(text),
    size,
  };
}

const addressText = ({ name, address }: Address): string =>
  name && address ? `${name} <${address}>` : (address ?? name);

/** The file of another message than a mail consists of a `To:` line, an empty line and the text; see mailbox.ts. */
function readText({ path: _, ...file }: StoredFile, raw: string, size: number): ShownMessage {
  const [, to = '', text = ''] = /^To: (.*)\n\n([\s\S]*?)\n?$/.exec(raw) ?? [];
  return { ...file, subject: text, to, headers: [], text, ...partsToCopy(text), size };
}

const partsToCopy = (text: string): Pick<ShownMessage, 'codes' | 'links'> => ({
  codes: text.split(/\r?\n/).filter((line) => /^[\w-]{6,}$/.test(line) && /\d/.test(line)),
  links: [...new Set([...text.matchAll(/https?:\/\/[^\s<>"]+/g)].map(([link]) => link))],
});
