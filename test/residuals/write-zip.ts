import { crc32, deflateRawSync } from 'node:zlib';

/** A part of a zip file. `size` is the stated size, if it is not the true one. */
interface Part {
  content: Buffer;
  size?: number;
}

/** Writes a zip file (APPNOTE.TXT, 4.3). */
export function writeZip(parts: Readonly<Record<string, string | Buffer | Part>>): Buffer {
  const [bodies, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [name, part] of Object.entries(parts)) {
    const { content, size } =
      typeof part === 'string' || Buffer.isBuffer(part) ? { content: Buffer.from(part as string) } : part;
    const packed = deflateRawSync(content);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x0800, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(size ?? content.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const body = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, Buffer.from(name), packed]);
    const entry = Buffer.alloc(46 - 4 - 26 - 2);
    entry.writeUInt32LE(offset, entry.length - 4);
    directory.push(
      Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), common, entry, Buffer.from(name)]),
    );
    bodies.push(body);
    offset += body.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(size, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...bodies, ...directory, Buffer.from('PK\u0005\u0006'), end]);
}
