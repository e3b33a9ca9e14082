/** What an adapter is called, and whether it is a CPU in disguise. */
const softwareNames = /swiftshader|llvmpipe|lavapipe|softpipe|warp|basic render/i;

/** Chromium before 121 gives the information by a method. */
type OlderAdapter = { requestAdapterInfo?: () => Promise<GPUAdapterInfo>; isFallbackAdapter?: boolean };

export async function describeAdapter(adapter: GPUAdapter): Promise<{ name: string; software: boolean }> {
  const older = adapter as unknown as OlderAdapter;
  const info = (adapter.info as GPUAdapterInfo | undefined) ?? (await older.requestAdapterInfo?.());
  const words = [info?.vendor, info?.architecture, info?.device, info?.description].filter((word) => word);
  const name = info?.description || words.join(' ') || 'GPU without a name';
  const fallback = info?.isFallbackAdapter ?? older.isFallbackAdapter ?? false;
  return { name, software: fallback || softwareNames.test(words.join(' ')) };
}
