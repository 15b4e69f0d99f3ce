import java.util.stream.*;
import java.io.*;

/** XML by the parsers of the JDK. */
public class Markup {
    static void o(Object x) { System.out.println(x); }

    public static void main(String[] args) throws Throwable {
        var f = javax.xml.parsers.DocumentBuilderFactory.newInstance();
        var d = f.newDocumentBuilder().parse(new ByteArrayInputStream("<a x='1'><b>t&amp;u</b><!-- c --><b/><![CDATA[<z>]]></a>".getBytes()));
        o(d.getDocumentElement().getAttribute("x") + d.getElementsByTagName("b").getLength() + d.getElementsByTagName("b").item(0).getTextContent());
        try { f.newDocumentBuilder().parse(new ByteArrayInputStream("<a><b></a>".getBytes())); } catch (org.xml.sax.SAXParseException e) {
            o(e.getMessage() + e.getLineNumber());
        }
        javax.xml.parsers.SAXParserFactory.newInstance().newSAXParser().parse(new ByteArrayInputStream("<r><i n='2'>q</i></r>".getBytes()), new org.xml.sax.helpers.DefaultHandler() {
            public void startElement(String u, String l, String q, org.xml.sax.Attributes a) {
                o("start " + q + a.getLength());
            }
            public void characters(char[] c, int s, int n) { o("chars " + new String(c, s, n)); }
        });
        o(javax.xml.xpath.XPathFactory.newInstance().newXPath().evaluate("count(//b)", d));
        var st = javax.xml.stream.XMLInputFactory.newInstance().createXMLStreamReader(new StringReader("<k>v</k>"));
        while (st.hasNext()) o(st.next());
        var t = javax.xml.transform.TransformerFactory.newInstance().newTransformer();
        t.setOutputProperty("omit-xml-declaration", "yes");
        StringWriter w = new StringWriter();
        t.transform(new javax.xml.transform.dom.DOMSource(d), new javax.xml.transform.stream.StreamResult(w));
        o(w);
    }


}
