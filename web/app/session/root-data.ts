import type { LoginProvider } from '@clearframe/contract';
import { useRouteLoaderData } from '@remix-run/react';
import type { IdentitySettings } from '../../server/config/identity-settings.ts';

/** What every page knows, beside what it shows. */
export interface RootData {
  readonly name: string;
  /** What all of it is for, in a sentence: to be found by. */
  readonly description: string;
  readonly visitor: Visitor;
  readonly identity: IdentitySettings;
}

const NOBODY: RootData = {
  name: '',
  description: '',
  visitor: { kind: 'guest' },
  identity: { provider: 'none', firebase: null, oneTap: null },
};

/** Of a guest who can't sign in, on a page that came to nothing before anything was known. */
export const useRootData = (): RootData => useRouteLoaderData<RootData>('root') ?? NOBODY;

/** Who is looking at the page, as far as the page's frame has to know. */
export type Visitor =
  | { readonly kind: 'guest' }
  | { readonly kind: 'member'; readonly email: string | null; readonly source: LoginProvider | null };
