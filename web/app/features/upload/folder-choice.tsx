import FolderOpen from 'lucide-react/icons/folder-open';
import { type ChangeEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '../../ui/controls/button';

const INPUT_ID = 'upload-folder';

/** Chooses all photos of a folder; empty where the browser can't. */
export function FolderChoice({ onFiles }: { readonly onFiles: (files: Promise<readonly File[]>) => void }) {
  const { t } = useTranslation('home');
  const [isSupported, setSupported] = useState(true);
  useEffect(() => setSupported('webkitdirectory' in HTMLInputElement.prototype), []);
  if (!isSupported) return null;
  const onChange = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(currentTarget.files ?? [])];
    onFiles(import('./folders').then(({ photosIn }) => photosIn(files)));
    // Lets the same folder be chosen again after an error.
    currentTarget.value = '';
  };
  return (
    <span className="relative z-1 nojs:hidden">
      <input id={INPUT_ID} type="file" className="peer sr-only" onChange={onChange} {...{ webkitdirectory: '' }} />
      <label
        htmlFor={INPUT_ID}
        className={`${buttonClass('quiet')} peer-focus-visible:outline-3 peer-focus-visible:outline-offset-3 peer-focus-visible:outline-accent`}
      >
        <FolderOpen aria-hidden className="size-5" />
        {t('drop.many.folder')}
      </label>
    </span>
  );
}
