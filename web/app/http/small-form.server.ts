import type { AppLoadContext } from '@remix-run/node';
import { throwPageFor } from './problem.server';

/** In bytes. */
const LONGEST = 10_000;

/** The fields of a form without files. @throws the page that says so when it is no such form, or a long one */
export async function readSmallForm(request: Request, context: AppLoadContext): Promise<URLSearchParams> {
  const type = request.headers.get('content-type') ?? '';
  if (!type.startsWith('application/x-www-form-urlencoded')) throwPageFor('request.unsupported_media_type', context);
  const length = Number(request.headers.get('content-length') ?? Number.POSITIVE_INFINITY);
  if (!(length <= LONGEST)) throwPageFor('request.too_large', context);
  return new URLSearchParams(await request.text());
}
