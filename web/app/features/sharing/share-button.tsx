import Share2 from 'lucide-react/icons/share-2';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '../../ui/controls/button';
import { ModalLink } from '../modals/modal-link';

export function ShareButton({ taskId }: { readonly taskId: string }) {
  const { t } = useTranslation('common');
  return (
    <ModalLink
      modal="share"
      with={{ taskId }}
      className={`${buttonClass('ghost', 'small')} min-h-11 shrink-0 max-lg:w-11 max-lg:px-0`}
    >
      <Share2 aria-hidden className="size-4.5" />
      <span className="max-lg:sr-only">{t('share')}</span>
    </ModalLink>
  );
}
