import { inSeconds } from '@clearframe/contract';
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { seeOther } from '../../http/answer.server';
import { readForm } from '../../http/form.server';
import { RETURN_PARAMETER, returnAddress } from '../../http/internal-address';
import { translatorFor } from '../../i18n/i18n.server';
import { answerIn } from '../../telemetry/consent-cookie';
import { categoriesOf } from './cookie-form';

/** Supervisory authorities recommend that an answer counts for six months (CNIL, recommendation 2020-092). */
const MAX_AGE = inSeconds.days(180);

const cookieForm = z.object({
  choice: z.enum(['accept', 'refuse', 'save']),
  C0002: z.literal('on').optional(),
  C0004: z.literal('on').optional(),
  [RETURN_PARAMETER]: z.string().optional(),
});

export async function loadCookies({ request }: LoaderFunctionArgs) {
  const t = await translatorFor(request, 'footer');
  return { title: t('cookies.settings'), agreed: answerIn(request.headers.get('cookie')) ?? [] };
}

/** Stores the answer, also that of a script, which ignores the redirect. */
export async function chooseCookies({ request, context }: ActionFunctionArgs) {
  const fields = await readForm(request, context, cookieForm);
  const categories = categoriesOf(fields.choice, (category) => fields[category] === 'on');
  const secure = context.settings.publicUrl.protocol === 'https:' ? '; Secure' : '';
  // Plain text, because scripts read it, too.
  context.setCookie(`clearframe_cookies=${categories.join('.')}; Path=/; Max-Age=${MAX_AGE}; SameSite=Lax${secure}`);
  return seeOther(returnAddress(fields.from), request);
}
