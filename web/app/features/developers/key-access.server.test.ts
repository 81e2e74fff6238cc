import type { User } from '@clearframe/contract';
import { expect, test } from 'vitest';
import { ADA } from '../../../test/users';
import { type KeyAccess, keyAccessOf } from './key-access.server';

const business: User = { ...ADA, role: 'business' };

test.each<[string, User | null, boolean, KeyAccess]>([
  ['an unknown visitor', null, true, 'login'],
  ['a guest with a gift code', { ...business, isGuest: true }, true, 'login'],
  ['a member', ADA, true, 'create'],
  ['Business', business, true, 'create'],
  ['Business while plug-in keys are off', business, false, 'off'],
])('the way of %s to a key', (_visitor, user, psPlugin, access) => expect(keyAccessOf(user, psPlugin)).toBe(access));
