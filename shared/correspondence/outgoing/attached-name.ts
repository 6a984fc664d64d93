import type { ContentType } from '../../documents/rules.ts';
import { firstCharacters } from '../../table/cut-text.ts';
import { mailLimits } from '../mails/schema.ts';

/** The usual extension of each type, and all its extensions. */
const extensions: Readonly<Record<ContentType, readonly [usual: string, all: RegExp]>> = {
  'application/pdf': ['.pdf', /\.pdf$/i],
  'image/jpeg': ['.jpg', /\.jpe?g$/i],
  'image/png': ['.png', /\.png$/i],
  'image/heic': ['.heic', /\.hei[cf]$/i],
  'image/tiff': ['.tiff', /\.tiff?$/i],
};

/**
 * Returns the name of a document as an attachment, with an extension of its type. SES rejects mails with extensions such as
 * `.com` (Amazon SES Developer Guide, "Unsupported attachment types"), and with characters that Windows does not allow in file
 * names (github.com/govuk-forms/forms-runner/pull/1594).
 */
export function attachedName(name: string, contentType: ContentType): string {
  const [usual, all] = extensions[contentType];
  const allowed = name.replaceAll(/[/\\:*?"<>|]/g, '_');
  const extension = all.exec(allowed)?.[0] ?? usual;
  return firstCharacters(allowed.replace(all, ''), mailLimits.fileName - extension.length) + extension;
}
