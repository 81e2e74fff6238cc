import { useRouteLoaderData } from '@remix-run/react';
import type { CaptchaSettings, IdentitySettings, ThirdParties } from '../../server/config/settings.ts';
import { NO_PHOTOS, type PhotosState } from './photos-state';
import type { Visitor } from './visitor.server';

export interface RootData {
  readonly name: string;
  readonly description: string;
  /** Absolute URL of the picture shown for links in other applications. */
  readonly linkPreview: string;
  readonly visitor: Visitor;
  readonly photos: PhotosState;
  readonly identity: IdentitySettings;
  /** Null without a captcha. */
  readonly captcha: CaptchaSettings | null;
  /** The product's own banner is due: no answer yet, and no consent platform. */
  readonly asksForCookies: boolean;
  readonly thirdParties: ThirdParties;
  /** Added to the home page's address as `v`; null adds none. */
  readonly landingVersion: string | null;
}

const GUEST: RootData = {
  name: '',
  description: '',
  linkPreview: '',
  visitor: { kind: 'guest' },
  photos: NO_PHOTOS,
  identity: { provider: 'none', firebase: null, oneTap: null },
  captcha: null,
  asksForCookies: false,
  thirdParties: { tagManagerUrl: null, consentPlatform: null, surveyUrl: null },
  landingVersion: null,
};

/** Falls back to a guest on error pages that render without root data. */
export const useRootData = (): RootData => useRouteLoaderData<RootData>('root') ?? GUEST;
