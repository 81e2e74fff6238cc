import Globe from 'lucide-react/icons/globe';
import { useTranslation } from 'react-i18next';
import { LANGUAGE_NAMES } from '../../i18n/language-names';
import { useDocument } from '../../ui/page/document-data';
import { ModalLink } from '../modals/modal-link';

export function LanguageLink() {
  const { t } = useTranslation(['common', 'header']);
  const { language } = useDocument();
  const name = LANGUAGE_NAMES[language] ?? language;
  return (
    <ModalLink
      modal="language"
      with={{}}
      label={t('header:language', { language: name })}
      className="link-quiet flex min-h-11 min-w-6 items-center justify-center gap-2 text-muted"
    >
      <Globe aria-hidden className="size-4 shrink-0" />
      <span className="max-sm:hidden">{name}</span>
    </ModalLink>
  );
}
