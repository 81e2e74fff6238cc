import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { readForm } from '../../../http/form/form.server';
import { SUPPORT_ADDRESS } from '../../../http/internal-address';
import { keepForBack } from '../../../http/problem.server';
import { translatorFor } from '../../../i18n/i18n.server';
import { SURVEY_LENGTHS, VOLUMES } from './contact-survey';

const surveyForm = z.object({
  volume: z.enum(VOLUMES).catch('hundreds'),
  company: z.string().trim().max(SURVEY_LENGTHS.company).default(''),
  purpose: z.string().trim().max(SURVEY_LENGTHS.purpose).default(''),
});

export async function loadSurvey({ request }: LoaderFunctionArgs) {
  const t = await translatorFor(request, 'tiers');
  return data({ title: t('contact.title') }, { headers: { 'cache-control': 'no-store' } });
}

/** Writes the answers into an email, which the visitor sends. */
export async function sendSurvey({ request, context }: ActionFunctionArgs) {
  const { volume, company, purpose } = await readForm(request, context, surveyForm);
  const t = await translatorFor(request, 'tiers');
  const answers = [
    `${t('contact.volume')} ${t(`contact.volumes.${volume}`)}`,
    `${t('contact.company')}: ${company || '–'}`,
    `${t('contact.purpose')} ${purpose || '–'}`,
  ].join('\r\n');
  const subject = `${t('plans.business.title')}${company && `: ${company}`}`;
  const mailto = `mailto:${SUPPORT_ADDRESS}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(answers)}`;
  return data({ mailto }, { headers: keepForBack(new Headers()) });
}
