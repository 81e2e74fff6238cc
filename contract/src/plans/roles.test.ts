import { describe, expect, it } from 'vitest';
import type { AiPipeline } from '../pipeline/tools.js';
import { ALLOWANCES, defaultFormatOf, lockedTool, type Role, type RoleEntitlements, roleOf } from './roles.js';

/** A visitor without an account. */
const GUEST_ENTITLEMENTS: RoleEntitlements = {
  isGuest: true,
  subscribedPlan: null,
  subscriptionProvider: null,
  isGiftCodeActive: false,
  isFree: false,
  availableCredits: 0,
};
const member: RoleEntitlements = { ...GUEST_ENTITLEMENTS, isGuest: false };
const ROLES: readonly Role[] = ['guest', 'base', 'credits', 'personal', 'business'];
const UNPAID: readonly Role[] = ['guest', 'base', 'credits'];

describe('a role', () => {
  it.each<[string, RoleEntitlements, Role]>([
    ['a new user', GUEST_ENTITLEMENTS, 'guest'],
    ['a logged-in user', member, 'base'],
    ['a user with credits', { ...member, availableCredits: 1 }, 'credits'],
    ['a guest with credits', { ...GUEST_ENTITLEMENTS, availableCredits: 3 }, 'guest'],
    ['personal', { ...member, subscribedPlan: 'personal', subscriptionProvider: 'stripe' }, 'personal'],
    [
      'personal by PayPal with credits',
      { ...member, subscribedPlan: 'personal', subscriptionProvider: 'paypal', availableCredits: 2 },
      'personal',
    ],
    ['a mobile subscription', { ...member, subscribedPlan: 'personal', subscriptionProvider: 'mobile' }, 'business'],
    ['business', { ...member, subscribedPlan: 'business', subscriptionProvider: 'stripe' }, 'business'],
    ['a gift code', { ...member, isGiftCodeActive: true }, 'business'],
    ['made free by staff', { ...member, isFree: true }, 'business'],
    [
      'free with a personal plan',
      { ...member, isFree: true, subscribedPlan: 'personal', subscriptionProvider: 'stripe' },
      'business',
    ],
  ])('%s', (_who, entitlements, role) => expect(roleOf(entitlements)).toBe(role));
});

describe('what a role may use', () => {
  const business: readonly Role[] = ['business'];
  const paying: readonly Role[] = ['personal', 'business'];
  it.each<[string, AiPipeline, readonly Role[]]>([
    ['nothing', {}, ROLES],
    ['face base', { faceEnhance: { model: 'base' } }, ROLES],
    ['face v1', { faceEnhance: { model: 'v1' } }, paying],
    ['face v2', { faceEnhance: { model: 'v2' } }, paying],
    ['background base', { backgroundEnhance: { model: 'base' } }, ROLES],
    ['background v1', { backgroundEnhance: { model: 'v1' } }, paying],
    ['bokeh preset', { bokeh: { model: 'low' } }, paying],
    ['bokeh by hand', { bokeh: { aperture: 0, highlights: 0, vivid: 0 } }, paying],
    ['repair base', { repair: { model: 'base', strength: 0.5 } }, ROLES],
    ['repair v1', { repair: { model: 'v1' } }, paying],
    ['fade base', { fade: { model: 'base', neutral: true } }, ROLES],
    ['fade v1', { fade: { model: 'v1' } }, paying],
    ['lifting', { faceLifting: { model: 'glam' } }, business],
    ['color', { colorEnhance: { model: 'teal' } }, business],
  ])('%s', (_what, pipeline, allowed) => {
    expect(ROLES.filter((role) => lockedTool(role, pipeline) === null)).toEqual(allowed);
  });

  it('names the first locked tool', () => {
    expect(lockedTool('guest', { faceEnhance: { model: 'base' }, bokeh: { model: 'low' } })).toBe('bokeh');
    const faces = [{ index: 0, strength: 1, model: 'v2' }] as const;
    expect(lockedTool('guest', { faceEnhance: { model: 'base', faces: [...faces] } })).toBe('faceEnhance');
    expect(lockedTool('personal', { faceEnhance: { model: 'base', faces: [...faces] } })).toBe(null);
  });

  it('formats, batch and delivery', () => {
    for (const role of UNPAID) {
      expect(ALLOWANCES[role]).toMatchObject({ formats: ['image/jpeg'], batch: false, delivery: 'watermarked' });
    }
    expect(ALLOWANCES.personal).toMatchObject({ formats: ['image/jpeg'], batch: false, delivery: 'preview' });
    expect(ALLOWANCES.business).toMatchObject({ batch: true, delivery: 'clean' });
    expect([...ALLOWANCES.business.formats].sort()).toEqual([
      'image/jpeg',
      'image/png',
      'image/tiff',
      'image/tiff;application=photoshop',
      'image/vnd.adobe.photoshop',
    ]);
    expect(ROLES.map(defaultFormatOf)).toEqual(['image/jpeg', 'image/jpeg', 'image/jpeg', 'image/jpeg', 'image/png']);
  });
});

it('includes the size of the original in Business, and for everyone while caps are removed', () => {
  const large: AiPipeline = { outputSize: 'original' };
  for (const role of ROLES) {
    expect(lockedTool(role, large)).toBe(role === 'business' ? null : 'outputSize');
    expect(lockedTool(role, { outputSize: 'standard' })).toBeNull();
    expect(lockedTool(role, large, true)).toBeNull();
  }
});
