import { setTimeout as pause } from 'node:timers/promises';
import { formatPrice, packPriceOf, planPriceOf } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { orNull } from '../../http/problem.server';
import { translatorFor } from '../../i18n/i18n.server';
import { currencyOf } from '../settings/currency.server';
import { settingsOf } from '../settings/settings.server';
import type { PlansLink } from './sections';

export async function teaserPrices(request: Request, context: AppLoadContext) {
  const currency = await currencyOf(request, context);
  const format = ({ amountCents }: { readonly amountCents: number }) => formatPrice(amountCents, currency);
  return {
    single: format(packPriceOf('single_export', currency)),
    personal: format(planPriceOf('personal', 'weekly', currency)),
    business: format(planPriceOf('business', 'weekly', currency)),
  };
}

/** Offers the free trial first where the flags say so. */
export async function plansLink(
  request: Request,
  context: AppLoadContext,
  { isGuest }: { readonly isGuest: boolean },
): Promise<PlansLink> {
  if (isGuest && (await offersTrialFirst(request, context))) {
    const t = await translatorFor(request, 'tiers');
    return { kind: 'primary', to: '/upgrade?previousAction=home_trial', text: t('try') };
  }
  const t = await translatorFor(request, 'home');
  return { kind: 'quiet', to: '/pricing', text: t('plans.link') };
}

async function offersTrialFirst(request: Request, context: AppLoadContext): Promise<boolean> {
  const settings = orNull(settingsOf(request, context), { request, context });
  const loaded = await Promise.race([settings, pause(context.settings.optionalDataTimeoutMs, null, { ref: false })]);
  return Boolean(loaded?.shouldForceHomeFreeTrial && loaded.isFreeTrialEnabled && !loaded.isPurchaseBlocked);
}

/** What happens to measurements of faces, where the law asks for a notice beside the upload; null where the flag is off. */
export async function biometricNotice(request: Request, context: AppLoadContext): Promise<string | null> {
  const settings = await orNull(settingsOf(request, context), { request, context });
  if (!settings?.bipaDisclaimerEnabled) return null;
  const t = await translatorFor(request, 'home');
  return t('biometric');
}

/** In the order of how plain the difference is. */
const GALLERY = { face_enhance: 'faceEnhance', fade: 'fade', bokeh: 'bokeh', color_enhance: 'colorEnhance' } as const;

/** Pictures of the tools. Named here: the page's script needs no messages of the result. */
export async function galleryPictures(request: Request) {
  const t = await translatorFor(request, 'result');
  return Object.entries(GALLERY).map(([name, tool]) => ({
    file: `/samples/guide-${name}.avif`,
    tool: t(`panel.tools.${tool}`),
  }));
}
