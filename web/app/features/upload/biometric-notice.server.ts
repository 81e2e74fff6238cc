import type { AppLoadContext } from '@remix-run/node';
import { asApiError } from '../../http/problem.server';
import { translatorFor } from '../../i18n/i18n.server';
import { settingsOf } from '../settings/settings.server';

/** What happens to measurements of faces, where the law asks for a notice beside the upload; null where the flag is off. */
export async function biometricNotice(request: Request, context: AppLoadContext): Promise<string | null> {
  const settings = await settingsOf(request, context).catch((error: unknown) => {
    request.signal.throwIfAborted();
    asApiError(error, context);
    return null;
  });
  if (!settings?.bipaDisclaimerEnabled) return null;
  const t = await translatorFor(request, 'home');
  return t('biometric');
}
