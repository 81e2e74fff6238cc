/** The files of the Photoshop plug-in in base64 by their paths, and its commands; see vite.config.ts. */
declare module 'virtual:photoshop-plugin' {
  const built: {
    readonly files: Readonly<Record<string, string>>;
    readonly commands: import('../../../../plugin/build.ts').Built['commands'];
  };
  export default built;
}
