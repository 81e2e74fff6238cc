import { randomUUID } from 'node:crypto';
import { inSeconds } from '@clearframe/contract';
import { type AppLoadContext, createCookie } from '@remix-run/node';
import { z } from 'zod';
import { type Exchange } from './visitor.server';

const Id = z.uuid();

/** Lifetime of identifier cookies (spec 1, section 9). */
const cookie = createCookie('clearframe_client_id', {
  path: '/',
  sameSite: 'lax',
  httpOnly: true,
  maxAge: inSeconds.days(730),
});

const NAME = `${cookie.name}=`;

/** The browser's id in events with consent to measurement; created with the first such event. */
export async function keepClientId({ request, context, headers }: Exchange): Promise<string> {
  const stored = Id.safeParse(await cookie.parse(request.headers.get('cookie')));
  if (stored.success) return stored.data;
  const id = randomUUID();
  headers.append('set-cookie', await cookie.serialize(id, securityOf(context)));
  return id;
}

/** Deletes the id of a browser that withdrew its consent. */
export async function forgetClientId({ request, context, headers }: Exchange): Promise<void> {
  if (!request.headers.get('cookie')?.includes(NAME)) return;
  headers.append('set-cookie', await cookie.serialize('', { ...securityOf(context), maxAge: 0 }));
}

const securityOf = ({ settings }: AppLoadContext) => ({ secure: settings.publicUrl.protocol === 'https:' });
