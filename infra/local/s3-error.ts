/** Why S3 does not carry a request out. Clients go by the code: docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
export class S3Error extends Error {
  override readonly name = 'S3Error';

  /** `fields` are further elements of the XML. */
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly fields: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }

  /** The body of the response. */
  toXml(resource: string): string {
    const { code: Code, message: Message, fields } = this;
    return xmlOf('Error', { Code, Message, ...fields, Resource: resource });
  }
}

/** An XML document of one element with text elements in it. */
export function xmlOf(name: string, fields: Readonly<Record<string, string | undefined>>): string {
  const inner = Object.entries(fields).map(([field, text]) =>
    text === undefined ? '' : `<${field}>${escaped(text)}</${field}>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${name}>${inner.join('')}</${name}>`;
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] ?? '');
