import { type AppLoadContext, type CookieOptions, createCookie } from '@remix-run/node';
import type { z } from 'zod';

/** Of the whole site. Scripts can't read them. */
const OPTIONS = { path: '/', sameSite: 'lax', httpOnly: true } as const;

const isSecure = ({ settings }: AppLoadContext): boolean => settings.publicUrl.protocol === 'https:';

/** A cookie that visitors may alter. */
export function plainCookie<Value>(name: string, maxAge: number, schema: z.ZodType<Value>) {
  const cookie = createCookie(`clearframe_${name}`, { ...OPTIONS, maxAge });
  const set = async (value: Value | '', context: AppLoadContext, options?: CookieOptions): Promise<void> =>
    context.setCookie(await cookie.serialize(value, { secure: isSecure(context), ...options }));
  return {
    /** Null without a valid one. */
    read: async (request: Request): Promise<Value | null> =>
      schema.safeParse(await cookie.parse(request.headers.get('cookie'))).data ?? null,
    write: (value: Value, context: AppLoadContext) => set(value, context),
    clear: (context: AppLoadContext) => set('', context, { maxAge: 0 }),
  };
}

/** A cookie that visitors can't alter. */
export function signedCookie<Value>(name: string, maxAge: number, schema: z.ZodType<Value>) {
  const cookieOf = (context: AppLoadContext) =>
    createCookie(`${isSecure(context) ? '__Host-' : ''}clearframe_${name}`, {
      ...OPTIONS,
      secrets: [context.settings.cookieSecret],
      secure: isSecure(context),
      maxAge,
    });
  return {
    /** Null without a valid one. */
    read: async (request: Request, context: AppLoadContext): Promise<Value | null> =>
      schema.safeParse(await cookieOf(context).parse(request.headers.get('cookie'))).data ?? null,
    write: async (value: Value, context: AppLoadContext): Promise<void> =>
      context.setCookie(await cookieOf(context).serialize(value)),
    clear: async (context: AppLoadContext): Promise<void> =>
      context.setCookie(await cookieOf(context).serialize('', { maxAge: 0 })),
  };
}
