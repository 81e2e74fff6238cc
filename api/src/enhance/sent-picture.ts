import { randomUUID } from 'node:crypto';
import { open, unlink, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { IMAGE_LIMITS, MASK_MAX_BYTES, megabytes } from '@clearframe/contract';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../platform/errors/app-error.js';
import { MaskValidator, type SentMask } from '../uploads/mask-intake.js';
import { type SentFile, tooLarge, UploadValidator } from '../uploads/upload-intake.js';

/**
 * Writes a stream to a temporary file, to read what follows it in its request first.
 * @returns the file's bytes. It has no name: its space is freed when they have been read, or when the process ends
 */
async function spool(source: Readable): Promise<Readable> {
  const file = path.join(tmpdir(), `clearframe-${randomUUID()}`);
  const handle = await open(file, 'wx+', 0o600);
  try {
    await unlink(file);
    await writeFile(handle, source);
    return handle.createReadStream({ start: 0 });
  } catch (error) {
    await handle.close();
    throw error;
  }
}

export interface SentPicture extends SentFile {
  readonly fileName: string | undefined;
  /** Declared by the client, not checked. */
  readonly contentType: string;
  /** Resolves when the whole request has been read. */
  readonly end: Promise<void>;
}

export interface SentRequest {
  /** Fields of a form, with the file as the first or last part, or members of a JSON body. */
  readonly fields: Readonly<Record<string, string>>;
  /** Null when it is elsewhere. */
  readonly picture: SentPicture | null;
  /** A file of this name in a form. */
  readonly mask: SentMask | null;
}

const FORM = 'multipart/form-data';
const { maxBytes } = IMAGE_LIMITS;
/** One byte more than is accepted, so that the excess is noticed. */
const FORM_LIMITS = { fileSize: maxBytes + 1, fields: 20, fieldSize: 10_000, parts: 50, headerPairs: 50 };
/** The largest files, and more than the fields and headers that are accepted beside them. */
const MAX_FORM_BYTES = maxBytes + MASK_MAX_BYTES + megabytes(1);
const MASK_PART = 'mask';

/** As fields of a form: texts, and objects as JSON. */
const fieldsOf = (body: object): SentRequest['fields'] =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );

/**
 * The picture of a body, or the only file of its form; unread unless it is the first part of a form.
 * @throws AppError `uploads.too_large`, `uploads.unsupported_type`; `request.malformed` for a broken form
 */
export async function readRequest({ raw, body, headers }: FastifyRequest): Promise<SentRequest> {
  if (body === undefined || body === null) return { fields: {}, picture: null, mask: null };
  // JSON has been parsed.
  if (!(body instanceof Readable)) {
    if (typeof body !== 'object' || Array.isArray(body)) throw malformed('The body must be a JSON object.');
    return { fields: fieldsOf(body), picture: null, mask: null };
  }
  const contentType = headers['content-type'] ?? '';
  const contentLength = Number(headers['content-length'] ?? Number.NaN);
  const isForm = contentType.toLowerCase().startsWith(FORM);
  // Refused before it is read.
  if (contentLength > (isForm ? MAX_FORM_BYTES : maxBytes)) throw tooLarge(maxBytes);
  if (isForm) return readForm(raw, contentType);
  return {
    fields: {},
    mask: null,
    picture: {
      body: raw,
      isComplete: () => raw.complete,
      contentLength,
      fileName: undefined,
      contentType,
      end: Promise.resolve(),
    },
  };
}

/** Drops what is unread of a refused body, so that the client reads the response. */
export function dropRest({ raw }: FastifyRequest, reply: FastifyReply): void {
  raw.resume();
  if (!raw.complete) reply.header('connection', 'close');
}

function readForm(source: IncomingMessage, contentType: string): Promise<SentRequest> {
  const form = createParser(contentType);
  const fields = new Map<string, string>();
  let file: BusboyFileStream | null = null;
  let late: string | null = null;
  /** The file, when it is the first part. */
  let spooled: Promise<Readable> | null = null;
  let mask: Promise<SentMask> | null = null;
  const found = Promise.withResolvers<SentRequest>();
  const end = Promise.withResolvers<void>();

  const fail = (error: Error) => {
    source.unpipe(form);
    // Drained, so that the client reads the response.
    source.resume();
    file?.destroy(error);
    spooled?.then((body) => body.destroy()).catch(() => undefined);
    mask?.then(({ body }) => body.destroy()).catch(() => undefined);
    end.reject(error);
    found.reject(error);
  };
  form.on('field', (name, value, isNameCut, isValueCut) => {
    if (isNameCut || isValueCut) fail(malformed('A field of the form is too long.'));
    else if (file && !spooled) late ??= name;
    else fields.set(name, value);
  });
  form.on('file', (field, bytes, name, _encoding, type) => {
    // A failed request leaves the stream without a reader.
    bytes.on('error', () => undefined);
    const isOpen = !file || spooled !== null;
    if (field === MASK_PART && isOpen && !mask) {
      mask = readMask(bytes);
      mask.catch(fail);
      return;
    }
    if (file || field === MASK_PART) {
      late ??= field;
      bytes.resume();
      return;
    }
    file = bytes;
    const resolve = async (body: Readable) =>
      found.resolve({
        fields: Object.fromEntries(fields),
        mask: await mask,
        picture: {
          body,
          isComplete: () => body.readableEnded,
          contentLength: Number.NaN,
          fileName: name,
          contentType: type,
          end: end.promise,
        },
      });
    if (fields.size > 0 || mask) resolve(bytes).catch(found.reject);
    else {
      const validator = new UploadValidator({ mediaType: 'image', sizeBytes: null, sha256: null, maxBytes });
      spooled = spool(pipeline(bytes, validator, () => undefined));
      spooled.catch(fail);
      Promise.all([spooled, end.promise])
        .then(([body]) => resolve(body))
        .catch(found.reject);
    }
  });
  form.on('error', (cause: unknown) => fail(malformed('The form is damaged.', cause)));
  form.on('finish', () => {
    if (!file && (mask || fields.has('input_url'))) {
      Promise.resolve(mask).then(
        (sent) => found.resolve({ fields: Object.fromEntries(fields), picture: null, mask: sent }),
        found.reject,
      );
    } else if (!file) fail(missingFile());
    else if (late === null) end.resolve();
    else fail(afterFile(late));
  });
  source.once('close', () => {
    if (!source.complete) fail(new AppError('uploads.incomplete'));
  });
  // Either may be rejected while the other is awaited.
  end.promise.catch(() => undefined);
  source.pipe(form);
  let received = 0;
  source.on('data', ({ length }: Buffer) => {
    received += length;
    if (received > MAX_FORM_BYTES) fail(tooLarge(maxBytes));
  });
  return found.promise;
}

/** Spooled: its header is checked, and its hash known, before the picture is stored. */
async function readMask(part: BusboyFileStream): Promise<SentMask> {
  const validator = new MaskValidator();
  const body = await spool(pipeline(part, validator, () => undefined));
  return { ...validator.mask(), body };
}

function createParser(contentType: string): BusboyInstance {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits: FORM_LIMITS });
  } catch (cause) {
    throw malformed('The form is damaged.', cause);
  }
}

const malformed = (description: string, cause?: unknown): AppError =>
  new AppError('request.malformed', { description, cause });

const missingFile = (): AppError =>
  new AppError('request.invalid', {
    description: 'The form has no file.',
    details: { file: 'Required' },
  });

/** A picture behind fields is stored as it arrives. */
const afterFile = (field: string): AppError =>
  new AppError('request.invalid', {
    description: 'The file must be the first or last part of the form, and the only file besides one mask.',
    details: { [field]: 'Must be sent before the file' },
  });
