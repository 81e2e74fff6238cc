import { useRouteLoaderData } from '@remix-run/react';
import type { IdentitySettings } from '../../server/config/identity-settings.ts';
import type { Visitor } from './visitor';

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
