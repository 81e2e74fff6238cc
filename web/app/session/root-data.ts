import type { LoginProvider } from '@clearframe/contract';
import { useRouteLoaderData } from '@remix-run/react';
import type { IdentitySettings } from '../../server/config/identity-settings.ts';

/** Data of every page. */
export interface RootData {
  readonly name: string;
  /** The product in a sentence, for search engines. */
  readonly description: string;
  readonly visitor: Visitor;
  readonly identity: IdentitySettings;
}

const GUEST: RootData = {
  name: '',
  description: '',
  visitor: { kind: 'guest' },
  identity: { provider: 'none', firebase: null, oneTap: null },
};

/** For error pages rendered without the root's data: a guest without login. */
export const useRootData = (): RootData => useRouteLoaderData<RootData>('root') ?? GUEST;

/** The visitor, as far as the header needs to know. */
export type Visitor =
  | { readonly kind: 'guest' }
  | { readonly kind: 'member'; readonly email: string | null; readonly source: LoginProvider | null };
