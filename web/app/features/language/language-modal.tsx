import { useLocation } from '@remix-run/react';
import Check from 'lucide-react/icons/check';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { submit } from '../../http/browser-client';
import { preserveVersionParam, RETURN_PARAMETER } from '../../http/internal-address';
import { LANGUAGE_NAMES } from '../../i18n/language-names';
import { ModalTitle, useModalFrame } from '../../ui/modal/modal-frame';
import { useDocument } from '../../ui/page/document-data';
import type { ModalBodyProps } from '../modals/catalogue';
import { useModals } from '../modals/modals';

/** Choosing a language reloads the page in it. */
export function LanguageModal({ modal }: ModalBodyProps<'language'>) {
  const { t } = useTranslation();
  const { language, languages } = useDocument();
  const { mode } = useModalFrame();
  const { lockUi } = useModals();
  const [chosen, setChosen] = useState(language);
  const { search } = useLocation();
  const back = new URLSearchParams(search).get(RETURN_PARAMETER) ?? '';

  /** Over a page, stores the language and reloads that page; falls back to submitting the form. */
  async function choose(event: FormEvent<HTMLFormElement>): Promise<void> {
    const { submitter } = event.nativeEvent as SubmitEvent;
    if (mode === 'page' || !(submitter instanceof HTMLButtonElement)) return;
    event.preventDefault();
    const form = event.currentTarget;
    setChosen(submitter.value);
    const release = lockUi();
    const isStored = await submit('/language', { language: submitter.value });
    release();
    if (!isStored) return form.submit();
    await modal.close('chosen');
    window.location.reload();
  }

  return (
    <>
      <ModalTitle>{t('language.title')}</ModalTitle>
      <form method="post" action={preserveVersionParam('/language', search)} onSubmit={(event) => void choose(event)}>
        <input type="hidden" name={RETURN_PARAMETER} value={back} />
        <ul className="grid gap-1 sm:grid-cols-3">
          {languages.map((tag) => (
            <li key={tag}>
              <button
                type="submit"
                name="language"
                value={tag}
                aria-current={tag === chosen || undefined}
                {...(tag === chosen ? { 'data-autofocus': '' } : {})}
                className="flex min-h-12 w-full cursor-pointer items-center justify-between gap-3 rounded-xl px-4 py-2 text-start font-medium transition hover:bg-raised-strong aria-current:bg-accent-soft"
              >
                <bdi lang={tag} className="whitespace-nowrap">
                  {LANGUAGE_NAMES[tag]}
                </bdi>
                {tag === chosen && <Check aria-hidden className="size-4 shrink-0" />}
              </button>
            </li>
          ))}
        </ul>
      </form>
    </>
  );
}
