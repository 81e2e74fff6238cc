import type { ActionFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { seeOther } from '../../http/answer.server';
import { readForm } from '../../http/form.server';
import { RETURN_PARAMETER, returnAddress } from '../../http/internal-address';
import { offeredLanguages, titleLoader } from '../../i18n/i18n.server';
import { setLanguage } from '../../i18n/language-cookie.server';
import { ModalPage } from '../modals/modal-page';
import { LanguageModal } from './language-modal';

const languageForm = z.object({
  language: z.string().refine((tag) => offeredLanguages.includes(tag)),
  [RETURN_PARAMETER]: z.string().optional(),
});

export const loader = titleLoader('common', (t) => t('language.title'));

export async function action({ request, context }: ActionFunctionArgs) {
  const { language, from } = await readForm(request, context, languageForm);
  await setLanguage(language, context);
  return seeOther(returnAddress(from), request);
}

export { pageHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function LanguagePage() {
  return <ModalPage modal="language" with={{}} body={LanguageModal} />;
}
