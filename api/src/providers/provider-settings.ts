import { ConfigurationError } from '@clearframe/runtime/config';
import { z } from 'zod';

export const text = z.string({ error: 'is missing' });
export const url = () => z.url({ error: 'is not an absolute URL', protocol: /^https?$/ });

/** @throws ConfigurationError in production for an address of the sandbox */
export function refuseOtherServers<Name extends string>(
  env: { readonly CLEARFRAME_ENV?: string | undefined } & { readonly [Key in Name]?: string | undefined },
  provider: string,
  names: readonly Name[],
): void {
  const given = names.find((name) => env[name]);
  if (given === undefined || env.CLEARFRAME_ENV !== 'production') return;
  throw new ConfigurationError(`${given}: another server than ${provider} is refused in production`);
}
