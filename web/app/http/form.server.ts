import { parseWithZod } from '@conform-to/zod/v4';
import type { AppLoadContext } from '@remix-run/node';
import type { z } from 'zod';
import { throwPageFor } from './problem.server';

/** The longest field has 10,000 characters, which URL encoding makes up to 90,000 bytes. */
const MAX_FORM_BYTES = 100_000;

/** Other names are ignored: Conform would act on `__intent__`, and allocate an array for `field[99999999]`. */
const FIELD_NAME = /^[a-z][\w-]*$/i;

/**
 * The fields of a form without files.
 * @throws Response the page for an unsupported or too large body
 */
export async function readFields(request: Request, context: AppLoadContext): Promise<URLSearchParams> {
  const type = request.headers.get('content-type') ?? '';
  if (!type.startsWith('application/x-www-form-urlencoded')) throwPageFor('request.unsupported_media_type', context);
  const length = Number(request.headers.get('content-length') ?? Number.POSITIVE_INFINITY);
  if (!(length <= MAX_FORM_BYTES)) throwPageFor('request.too_large', context);
  return plainFields(await request.text());
}

/** Fields of a URL-encoded body or query, to be parsed by a schema. */
export const plainFields = (text: string): URLSearchParams =>
  new URLSearchParams([...new URLSearchParams(text)].filter(([name]) => FIELD_NAME.test(name)));

/**
 * @returns Conform's submission; the page renders the `reply()` of an invalid one
 * @throws Response the page for an unsupported or too large body
 */
export const parseForm = async <Schema extends z.ZodType>(request: Request, context: AppLoadContext, schema: Schema) =>
  parseWithZod(await readFields(request, context), { schema });

/**
 * Reads a form without typed fields, where only a forged request is invalid.
 * @throws Response the page of `request.invalid`
 */
export async function readForm<Schema extends z.ZodType>(
  request: Request,
  context: AppLoadContext,
  schema: Schema,
): Promise<z.output<Schema>> {
  const submission = await parseForm(request, context, schema);
  return submission.status === 'success' ? submission.value : throwPageFor('request.invalid', context);
}
