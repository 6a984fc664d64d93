import type { Contract } from '../../shared/endpoints/contract.ts';

/** The extension `x-upload` of an operation whose response contains a signed request that uploads a file. */
export interface UploadHint {
  /** The field of the response with the signed request: `method`, `url` and `headers`. */
  request: string;
  /** The path of the POST that completes the upload. */
  complete: string;
  /** The field of the response with the value of the last parameter of `complete`. */
  id: string;
  /** The fields of the body that describe the file. */
  file: { name: string; size: string; sha256: string; contentType?: string };
}

type Documented = Pick<Contract, 'method' | 'path' | 'files' | 'body'>;

/** Returns the extension of an operation; undefined if its response contains no signed upload. */
export function uploadHintOf(
  { path, files, body }: Documented,
  contracts: readonly Documented[],
): UploadHint | undefined {
  const complete = contracts.find(
    (one) => one.method === 'POST' && /^\/\{\w+\}\/complete$/.test(one.path.replace(path, '')),
  );
  if (files !== 'upload' || !complete) return undefined;
  const { fileName, contentType } = (body as { properties?: Record<string, unknown> }).properties ?? {};
  return {
    request: 'upload',
    complete: complete.path,
    id: 'id',
    file: {
      name: fileName ? 'fileName' : 'name',
      size: 'size',
      sha256: 'sha256',
      ...(contentType !== undefined && { contentType: 'contentType' }),
    },
  };
}
