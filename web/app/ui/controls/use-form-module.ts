import { useEffect, useRef, useState } from 'react';

/**
 * The module with a form's schema, fetched after the page is shown, because schemas weigh more than the pages. Until it
 * is there, or where it can't be loaded, the action alone validates, by the same schema.
 */
export function useFormModule<Module>(load: () => Promise<Module>): Module | undefined {
  const [module, setModule] = useState<Module>();
  const loader = useRef(load);
  useEffect(() => {
    loader.current().then(
      (loaded) => setModule(() => loaded),
      () => {},
    );
  }, []);
  return module;
}
