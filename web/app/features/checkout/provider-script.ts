/**
 * Loads a provider's script once. It can't be bundled: providers require their own servers.
 * @param find what the script defines; undefined until it has run
 */
export function loadScript<Loaded>(
  src: string,
  find: () => Loaded | undefined,
  dataset: Readonly<Record<string, string>> = {},
): Promise<Loaded> {
  return new Promise((resolve, reject) => {
    const known = find();
    if (known) return resolve(known);
    const script = document.createElement('script');
    Object.assign(script, { src, async: true });
    Object.assign(script.dataset, dataset);
    script.onload = () => {
      const loaded = find();
      if (loaded) resolve(loaded);
      else reject(new Error(`${src} has not defined what is used of it`));
    };
    script.onerror = () => reject(new Error(`${src} could not be loaded`));
    document.head.append(script);
  });
}
