import type { AppLoadContext } from '@remix-run/node';
import { z } from 'zod';
import { signedCookie } from './cookies.server';
import type { Exchange } from './visitor.server';

const Flash = z.object({
  /** Message key with its namespace: `account:saved`. */
  message: z.string(),
  /** Distinguishes repeated messages. */
  id: z.string(),
});
export type Flash = z.infer<typeof Flash>;

/** Kept long enough for one redirect. */
const cookie = signedCookie('flash', 60, Flash);

export const setFlash = (message: string, context: AppLoadContext): Promise<void> =>
  cookie.write({ message, id: context.requestId }, context);

/** Whether the previous response has set this message, which stays for the next page. */
export const hasFlash = async (message: string, request: Request, context: AppLoadContext): Promise<boolean> =>
  (await cookie.read(request, context))?.message === message;

/** Returns the message set by the previous response and clears it. */
export async function consumeFlash({ request, context }: Exchange): Promise<Flash | null> {
  const flash = await cookie.read(request, context);
  if (flash) await cookie.clear(context);
  return flash;
}
