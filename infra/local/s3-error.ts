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

/** Elements with text in them, by name; of a list one for each. */
export interface XmlFields {
  readonly [name: string]: string | undefined | readonly XmlFields[];
}

/** An XML document of one element with others in it. */
export const xmlOf = (name: string, fields: XmlFields): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${elementOf(name, fields)}`;

function elementOf(name: string, content: string | XmlFields): string {
  if (typeof content === 'string') return `<${name}>${escaped(content)}</${name}>`;
  const inner = Object.entries(content).flatMap(([field, value]) => {
    if (value === undefined) return [];
    return typeof value === 'string' ? elementOf(field, value) : value.map((one) => elementOf(field, one));
  });
  return `<${name}>${inner.join('')}</${name}>`;
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] ?? '');
