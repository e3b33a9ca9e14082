/** An AppImage gives its app `--no-sandbox` by itself where the system lets it make no user namespaces, and says nothing. */

/** A sentence for the log where that may be why there is no sandbox; `switched` off it is by that switch. */
export function unsandboxedNote(switched: boolean, { APPIMAGE }: NodeJS.ProcessEnv): string | undefined {
  if (!switched || APPIMAGE === undefined) return undefined;
  return (
    'The window runs without its sandbox: where nobody asked for --no-sandbox, the AppImage did, which could make no ' +
    'user namespace here. The .deb and the .rpm run in the sandbox there too.'
  );
}
