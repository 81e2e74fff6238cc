import { parseWithZod } from '@conform-to/zod/v4';
import type { AppLoadContext } from '@remix-run/node';
import type { z } from 'zod';
import { throwPageFor } from './problem.server';

/** In bytes. */
const MAX_FORM_BYTES = 10_000;

/**
 * The fields of a form without files.
 * @throws Response the page that explains an unsupported or too large body
 */
export async function readFields(request: Request, context: AppLoadContext): Promise<URLSearchParams> {
  const type = request.headers.get('content-type') ?? '';
  if (!type.startsWith('application/x-www-form-urlencoded')) throwPageFor('request.unsupported_media_type', context);
  const length = Number(request.headers.get('content-length') ?? Number.POSITIVE_INFINITY);
  if (!(length <= MAX_FORM_BYTES)) throwPageFor('request.too_large', context);
  return new URLSearchParams(await request.text());
}

/**
 * Reads a form whose fields the page fills in itself, so that only a forged request can be invalid.
 * @throws Response the page of `request.invalid`
 */
export async function readForm<Schema extends z.ZodType>(
  request: Request,
  context: AppLoadContext,
  schema: Schema,
): Promise<z.output<Schema>> {
  const submission = parseWithZod(await readFields(request, context), { schema });
  return submission.status === 'success' ? submission.value : throwPageFor('request.invalid', context);
}
