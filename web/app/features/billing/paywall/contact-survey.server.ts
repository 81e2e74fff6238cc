import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node';
import { readFields } from '../../../http/form/form.server';
import { SUPPORT_ADDRESS } from '../../../http/internal-address';
import { allowBackCache } from '../../../http/problem.server';
import { translatorFor } from '../../../i18n/i18n.server';
import { parseSurvey } from './contact-survey-form';

export async function loadSurvey({ request }: LoaderFunctionArgs) {
  const t = await translatorFor(request, 'tiers');
  return data({ title: t('contact.title') }, { headers: { 'cache-control': 'no-store' } });
}

export async function sendSurvey({ request, context }: ActionFunctionArgs) {
  const submission = parseSurvey(await readFields(request, context));
  const headers = allowBackCache(new Headers());
  if (submission.status !== 'success') {
    return data({ mailto: null, result: submission.reply() }, { status: 422, headers });
  }
  const { volume, company, purpose } = submission.value;
  const t = await translatorFor(request, 'tiers');
  const answers = [
    `${t('contact.volume')} ${t(`contact.volumes.${volume}`)}`,
    `${t('contact.company')}: ${company || '–'}`,
    `${t('contact.purpose')} ${purpose || '–'}`,
  ].join('\r\n');
  const subject = `${t('plans.business.title')}${company && `: ${company}`}`;
  const mailto = `mailto:${SUPPORT_ADDRESS}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(answers)}`;
  return data({ mailto, result: null }, { headers });
}
