import { useTranslation } from 'react-i18next';
import { buttonClass } from '../../ui/controls/button';
import { AppLink } from '../../ui/page/app-link';

const FRAME = 'w-24 rounded-card min-[23rem]:w-32 object-cover shadow-float sm:w-40 aspect-[4/5]';

export function EmptyHistory() {
  const { t } = useTranslation('account');
  return (
    <section className="mx-auto flex w-full max-w-xl flex-1 flex-col items-center justify-center gap-8 px-5 py-12 text-center sm:px-8">
      <div aria-hidden className="flex justify-center">
        <img
          src="/samples/chelsea-after.jpg"
          alt=""
          width={160}
          height={200}
          className={`${FRAME} translate-x-8 -rotate-8 rtl:-translate-x-8 rtl:rotate-8`}
        />
        <img
          src="/samples/astronaut-after.jpg"
          alt=""
          width={160}
          height={200}
          className={`${FRAME} relative z-1 -translate-y-3`}
        />
        <img
          src="/samples/coffee-after.jpg"
          alt=""
          width={160}
          height={200}
          className={`${FRAME} -translate-x-8 rotate-8 rtl:translate-x-8 rtl:-rotate-8`}
        />
      </div>
      <h1 className="text-display-sm wrap-break-word hyphens-auto">{t('history.empty.title')}</h1>
      <AppLink to="/" className={buttonClass('primary')}>
        {t('history.empty.start')}
      </AppLink>
    </section>
  );
}
