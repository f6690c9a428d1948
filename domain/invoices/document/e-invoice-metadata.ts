/**
 * What the PDF's metadata (XMP) says about the embedded invoice, with the description of these properties that PDF/A requires of any that it
 * does not define itself: Factur-X 1.0, chapter 6.2.2.
 */
import { eInvoiceName } from "./e-invoice.ts";

const namespace = "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#";

const properties = [
  ["DocumentFileName", "The name of the embedded XML document", eInvoiceName],
  ["DocumentType", "The type of the hybrid document in capital letters, e.g. INVOICE or ORDER", "INVOICE"],
  ["Version", "The actual version of the standard applying to the embedded XML document", "1.0"],
  ["ConformanceLevel", "The conformance level of the embedded XML document", "EN 16931"],
] as const;

export const eInvoiceMetadata = `
        <rdf:Description rdf:about="" xmlns:fx="${namespace}">
            ${properties.map(([name, , value]) => `<fx:${name}>${value}</fx:${name}>`).join("\n            ")}
        </rdf:Description>
        <rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
            <pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
                <pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
                <pdfaSchema:namespaceURI>${namespace}</pdfaSchema:namespaceURI>
                <pdfaSchema:prefix>fx</pdfaSchema:prefix>
                <pdfaSchema:property><rdf:Seq>
                    ${properties
                      .map(
                        ([name, description]) =>
                          `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${name}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>${description}</pdfaProperty:description></rdf:li>`,
                      )
                      .join("\n                    ")}
                </rdf:Seq></pdfaSchema:property>
            </rdf:li></rdf:Bag></pdfaExtension:schemas>
        </rdf:Description>
        `;
